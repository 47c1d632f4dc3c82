/**
 * Stage 2, forms of names: how a name or a town may be spelled besides what was typed.
 *
 * @module
 */

/** "General Transport's" as "General Transport". */
export function withoutOwner(name: string): string {
  return name.replace(/['’]s$/i, "");
}

/** How a name may be spelled: without its "'s", "St Paul Svcs" as "Saint Paul Services". */
export function spellings(name: string): string[] {
  const owner = withoutOwner(name);
  const whole = owner.replaceAll(SHORTENED, (_, word) => SHORT_FORMS[word.toLowerCase()]!);
  // "Johnson Brothers" of JOHNSON BROS.
  const forms = new Set([owner, name, whole, owner.replace(/\bbrothers\b/i, "bros")]);
  return [...new Set([...forms, ...forms.values().map(withTownWords)])];
}

/** What people shorten in a company's name. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  bros: "brothers",
  constr: "construction",
  distr: "distribution",
  ent: "enterprises",
  intl: "international",
  mgmt: "management",
  svc: "service",
  svcs: "services",
  transp: "transportation",
  trkg: "trucking",
};
const SHORTENED = new RegExp(`\\b(${Object.keys(SHORT_FORMS).join("|")})\\b\\.?`, "gi");

const TOWN_WORDS: Readonly<Record<string, string>> = { st: "saint", ft: "fort", mt: "mount" };

const TOWNS: Readonly<Record<string, string>> = {
  abq: "albuquerque",
  cincy: "cincinnati",
  fdl: "fond du lac",
  indy: "indianapolis",
  jax: "jacksonville",
  kc: "kansas city",
  mpls: "minneapolis",
  nola: "new orleans",
  nyc: "new york",
  okc: "oklahoma city",
  philly: "philadelphia",
  phx: "phoenix",
  "san antone": "san antonio",
  slc: "salt lake city",
  stl: "saint louis",
  "va beach": "virginia beach",
};

/** What people write for a state besides its two letters: "Odessa, Tex". */
const STATES: Readonly<Record<string, string>> = {
  ala: "al",
  ariz: "az",
  calif: "ca",
  colo: "co",
  conn: "ct",
  fla: "fl",
  ill: "il",
  mich: "mi",
  minn: "mn",
  neb: "ne",
  okla: "ok",
  ont: "on",
  penna: "pa",
  tenn: "tn",
  tex: "tx",
  wisc: "wi",
};

const TOWN = new RegExp(`\\b(?:${Object.keys(TOWNS).join("|")})\\b`, "i");
const STATE = new RegExp(`(?<=\\S )(?:${Object.keys(STATES).join("|")})(?=\\.?$)`, "i");
const TOWN_WORD = new RegExp(
  `\\b(${Object.keys(TOWN_WORDS).join("|")})\\.? (?=\\p{L}{2})`,
  "iu",
);

/** "St Louis", "Ft Worth" and "Mt Vernon" with their first word spelled out, "NYC" as "New York", "Tex" as "tx". */
export function withTownWords(text: string): string {
  return text.replace(TOWN, (town) => TOWNS[town.toLowerCase()]!)
    .replace(STATE, (state) => STATES[state.toLowerCase()]!)
    .replace(TOWN_WORD, (_, word) => `${TOWN_WORDS[word.toLowerCase()]} `);
}
