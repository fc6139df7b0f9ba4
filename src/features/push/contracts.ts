/** What a browser registers; the wire's own names. */
export interface Registration {
  readonly endpoint: string;
  readonly auth: string;
  readonly pdhkey: string;
  readonly language: string;
  readonly diff_time: number;
  readonly device_model: string;
  readonly app_id: string;
  readonly explorer: string;
  readonly explorer_version: string;
}

/** A device that a message goes to. */
export interface Subscriber {
  readonly id: number;
  readonly endpoint: string;
  readonly auth: string;
  readonly pdhkey: string;
}

/** What is to be sent. */
export interface NewPushMessage {
  readonly title: string;
  readonly body: string;
  /** A path of this site. */
  readonly url: string;
  /** Null for subscribers of all languages. */
  readonly language: string | null;
}

/** A message as it is kept, and how far it has come. */
export interface PushMessage extends NewPushMessage {
  readonly id: number;
  readonly madeAt: number;
  readonly isOpen: boolean;
  readonly sent: number;
  readonly gone: number;
  readonly givenUp: number;
}

/** An open message that this process sends. */
export interface ClaimedMessage extends PushMessage {
  /** The last subscription that had its first try. */
  readonly reached: number;
  /** The newest subscription when the message was made. */
  readonly last: number;
}

/** The next subscribers of a message. */
interface PushBatch {
  readonly subscribers: readonly Subscriber[];
  /** The last subscription that had its first try once the batch is noted. */
  readonly reached: number;
}

/** What came of some subscribers: each of them is in one of the lists. */
export interface PushOutcome {
  readonly sent: readonly number[];
  /** Their subscriptions have ended. */
  readonly gone: readonly number[];
  /** Refused, or not delivered. */
  readonly failed: readonly number[];
}

/** Devices that want notifications, and the messages to them. One sender at a time sends. */
export interface PushStore {
  /**
   * Keeps a device; the same endpoint again updates what is known of it.
   * @param replaces the endpoint that it had before: it then keeps its place, and its language
   * @param admit asked before a device is added; what it throws is thrown, and nothing is kept
   */
  register(registration: Registration, replaces?: string, admit?: () => Promise<void>): Promise<void>;
  unregister(endpoint: string): Promise<void>;
  /** How many a message would go to. */
  count(language: string | null): Promise<number>;
  /**
   * @param isHeld leaves the message for a minute to a sender that takes over, which the caller becomes
   * @returns the message's number, once it is safe on the disk
   */
  add(message: NewPushMessage, isHeld?: boolean): Promise<number>;
  /** The newest first. */
  list(limit: number): Promise<readonly PushMessage[]>;
  /**
   * Claims the oldest open message, for a minute after each note.
   * @param takesOver also takes it from another sender
   * @returns null when none is open, or another sender has it
   */
  claim(owner: string, takesOver: boolean): Promise<ClaimedMessage | null>;
  /** @returns null when all subscribers had their first try */
  nextBatch(message: ClaimedMessage, reached: number, size: number): Promise<PushBatch | null>;
  /** Subscribers by number; deleted ones are left out. */
  find(ids: readonly number[]): Promise<readonly Subscriber[]>;
  /**
   * Notes what came of a batch, all of it or nothing.
   * @param reached of the batch; null for a second try
   * @throws ClaimLost
   */
  note(message: ClaimedMessage, owner: string, outcome: PushOutcome, reached: number | null): Promise<void>;
  /** Nothing is left to send of a message. */
  close(message: ClaimedMessage, owner: string): Promise<void>;
}

/** Another sender has taken the message over. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';

  constructor() {
    super('Another sender has taken the message over');
  }
}
