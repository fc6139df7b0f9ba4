/** A browser's registration; the protocol's own names. */
export interface Registration {
  /** The address of the browser's push service for it. */
  readonly endpoint: string;
  /** RFC 8291's authentication secret, base64url. */
  readonly auth: string;
  readonly pdhkey: string;
  readonly language: string;
  /** Seconds by which the visitor's clock is ahead of UTC. */
  readonly diff_time: number;
  readonly device_model: string;
  readonly app_id: string;
  readonly explorer: string;
  readonly explorer_version: string;
}

/** A device that a message goes to. */
export interface Subscriber extends Pick<Registration, 'endpoint' | 'auth' | 'pdhkey'> {
  readonly id: number;
}

/** A message to send. */
export interface NewPushMessage {
  readonly title: string;
  readonly body: string;
  /** A path of this site. */
  readonly url: string;
  /** Null for subscribers of all languages. */
  readonly language: string | null;
}

/** A stored message with its progress. */
export interface PushMessage extends NewPushMessage {
  readonly id: number;
  readonly madeAt: number;
  readonly isOpen: boolean;
  readonly sent: number;
  readonly gone: number;
  readonly givenUp: number;
}

/** A message that is not finished. */
export interface OpenMessage extends PushMessage {
  /** The last subscription that had its first attempt. */
  readonly reached: number;
  /** The newest subscription when the message was made. */
  readonly last: number;
}

/** The results for some subscribers: each of them is in one of the lists. */
export interface PushOutcome {
  readonly sent: readonly number[];
  /** Their subscriptions have ended. */
  readonly gone: readonly number[];
  /** Refused, or not delivered. */
  readonly failed: readonly number[];
}

/** Another sender has taken over. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';

  constructor() {
    super('Another sender has taken over');
  }
}
