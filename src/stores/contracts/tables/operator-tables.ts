import type { Generated } from 'kysely';

/** What the operator has done at the desk. */
export interface OperatorLogTable {
  id: Generated<number>;
  made_at: number;
  /** Name of the machine that did it. */
  instance: string;
  /** `log-in`, or the page and the name of the deed. */
  what: string;
  /** What it was done to; empty where that says nothing. */
  object: string;
  /** The IPv4 /24 or IPv6 /56 from where. */
  block: string;
  /** `begun` until it ends; `failed` as well when the process ended before the deed did. */
  outcome: 'begun' | 'done' | 'refused' | 'failed';
  /** What the operator was told. */
  text: string;
}

/** A log-in that has not ended. */
export interface OperatorSessionTable {
  /** SHA-256 of its name, in hexadecimal digits. */
  hash: string;
  made_at: number;
  ends_at: number;
  block: string;
}

/** Log-ins of a day that failed, by where they came from. */
export interface OperatorTryTable {
  /** Days since 1970. */
  day: number;
  /** The IPv4 /24 or IPv6 /56; `others` beyond a number of them. */
  block: string;
  /** With a wrong password. */
  failed: number;
  /** Refused before the password was looked at. */
  limited: number;
  last_at: number;
}
