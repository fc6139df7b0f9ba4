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

/** The next subscribers of a message. */
interface PushBatch {
  readonly subscribers: readonly Subscriber[];
  /** The last subscription with a first attempt, once the batch is recorded. */
  readonly reached: number;
}

/** The results for some subscribers: each of them is in one of the lists. */
export interface PushOutcome {
  readonly sent: readonly number[];
  /** Their subscriptions have ended. */
  readonly gone: readonly number[];
  /** Refused, or not delivered. */
  readonly failed: readonly number[];
}

/** Subscribed devices, and the messages to them. One sender at a time sends. */
export interface PushStore {
  /**
   * Stores a device; the same endpoint again updates its data.
   * @param replaces the endpoint that it had before: it then keeps its position, and its language
   * @param admit called before a device is added; its errors are thrown, and nothing is stored
   */
  register(registration: Registration, replaces?: string, admit?: () => Promise<void>): Promise<void>;
  unregister(endpoint: string): Promise<void>;
  /** Number of a message's recipients. */
  count(language: string | null): Promise<number>;
  /** @returns the message's number, once it is safe on the disk */
  add(message: NewPushMessage): Promise<number>;
  /** The newest first. */
  list(limit: number): Promise<readonly PushMessage[]>;
  /**
   * Makes the owner the only sender, until a minute after its last record.
   * @param takesOver also while another one sends
   * @returns false while another one sends
   */
  claim(owner: string, takesOver: boolean): Promise<boolean>;
  /** Lets the next one send. */
  release(owner: string): Promise<void>;
  /** The oldest message that is not finished; null when there is none. */
  oldestOpen(): Promise<OpenMessage | null>;
  /** @returns null when all subscribers had their first attempt */
  nextBatch(message: OpenMessage, reached: number, size: number): Promise<PushBatch | null>;
  /** Subscribers by number; deleted ones are left out. */
  find(ids: readonly number[]): Promise<readonly Subscriber[]>;
  /**
   * Records a batch's results, all or nothing.
   * @param reached of the batch; null for a second attempt
   * @throws ClaimLost
   */
  note(message: OpenMessage, owner: string, outcome: PushOutcome, reached: number | null): Promise<void>;
  /** Closes a completed message. */
  close(id: number): Promise<void>;
}

/** Another sender has taken over. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';

  constructor() {
    super('Another sender has taken over');
  }
}
