/**
 * What is noted of a request while it is answered, for its log line and `Server-Timing`.
 *
 * @module
 */

/** Filled in by whoever knows. */
export interface Trace {
  /** The pattern of the path, e.g. `/api/v1/carriers/{dot}`: what was asked for stays out of the log. */
  route?: string;
  snapshotId?: string;
  /** Whether a finished answer was at hand; absent when none could have been. */
  held?: boolean;
  /** Milliseconds until the answer was found, to a tenth. */
  found?: number;
  /** Leave out `Server-Timing`: the time would show what the answer must not. */
  untimed?: true;
}

/** A request that was answered. */
export interface Answered extends Trace {
  /** Milliseconds since the epoch. */
  at: number;
  requestId: string;
  method: string;
  status: number;
  /** Milliseconds until the answer began, to a tenth. */
  ms: number;
  /** Of the body, where it is known before it is sent. */
  bytes?: number;
  /** Whom the request was counted by: an address, that no log may hold. */
  client: string;
  /** `User-Agent`, as it came. */
  agent: string | null;
}

/** Told of every request. */
export type RequestLog = (answered: Answered) => void;

/** The value of `Server-Timing`. */
export function serverTiming({ found }: Trace, ms: number): string {
  return found === undefined ? `total;dur=${ms}` : `find;dur=${found}, total;dur=${ms}`;
}
