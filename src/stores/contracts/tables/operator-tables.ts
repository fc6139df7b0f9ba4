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
