/**
 * States and provinces by the names people write. Web APIs only.
 *
 * @module
 */

const NAMES =
  `al alabama,ak alaska,az arizona,ar arkansas,ca california,co colorado,ct connecticut,de delaware,
dc district of columbia,fl florida,ga georgia,hi hawaii,id idaho,il illinois,in indiana,ia iowa,ks kansas,
ky kentucky,la louisiana,me maine,md maryland,ma massachusetts,mi michigan,mn minnesota,ms mississippi,
mo missouri,mt montana,ne nebraska,nv nevada,nh new hampshire,nj new jersey,nm new mexico,ny new york,
nc north carolina,nd north dakota,oh ohio,ok oklahoma,or oregon,pa pennsylvania,ri rhode island,
sc south carolina,sd south dakota,tn tennessee,tx texas,ut utah,vt vermont,va virginia,wa washington,
wv west virginia,wi wisconsin,wy wyoming,pr puerto rico,gu guam,vi virgin islands,
ab alberta,bc british columbia,mb manitoba,nb new brunswick,nl newfoundland,ns nova scotia,on ontario,
pe prince edward island,qc quebec,sk saskatchewan`;

/** Longest name of a state, in words. */
export const MAX_STATE_WORDS = 3;

const CODES: ReadonlyMap<string, string> = new Map(
  NAMES.split(",").map((item) => {
    const line = item.trim();
    return [line.slice(3), line.slice(0, 2)] as const;
  }),
);

/** The code, lower case, of a state written out in folded words; none when it is no state. */
export function stateCode(name: string): string | undefined {
  return CODES.get(name);
}
