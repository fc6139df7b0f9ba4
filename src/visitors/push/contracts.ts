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
  readonly diffTimeS: number;
  /** Tries before this one. */
  readonly attempts: number;
}

/** What is to be sent. */
export interface NewPushMessage {
  readonly title: string;
  readonly body: string;
  /** A path of this site. */
  readonly url: string;
  /** Null for subscribers of all languages. */
  readonly language: string | null;
  /** Whether subscribers are left alone at night. */
  readonly isQuiet: boolean;
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

/** What came of a batch: every subscriber of it is in one of the lists. */
export interface BatchOutcome {
  readonly sent: readonly number[];
  /** Their subscriptions have ended. */
  readonly gone: readonly number[];
  readonly givenUp: readonly number[];
  readonly later: readonly { readonly id: number; readonly attempts: number; readonly nextAt: number }[];
}

/** Some subscribers of a message; `reached` marks a batch of first tries, null one of further tries. */
export interface Batch {
  readonly subscribers: readonly Subscriber[];
  readonly reached: number | null;
}

/** Devices that want notifications, and the notifications on their way to them. */
export interface PushStore {
  /**
   * Keeps a device; the same endpoint again updates what is known of it.
   * @param replaces the endpoint that it had before: it then keeps its place, and its language
   */
  register(registration: Registration, replaces?: string): Promise<void>;
  unregister(endpoint: string): Promise<void>;
  /** How many a message would go to. */
  count(language: string | null): Promise<number>;
  /** @returns the message's number, once it is safe on the disk */
  add(message: NewPushMessage): Promise<number>;
  /**
   * Takes the oldest message of which something may be sent now, for as long as `leaseMs`: nobody else may send it
   * meanwhile.
   */
  take(owner: string, leaseMs: number): Promise<PushMessage | null>;
  /** Keeps a message that was taken for longer. @returns false when somebody else has it by now */
  renew(id: number, owner: string, leaseMs: number): Promise<boolean>;
  /** Gives a message back. */
  release(id: number, owner: string): Promise<void>;
  /** What of a message is to be sent next; null when nothing is, at this time. */
  nextBatch(message: PushMessage, size: number): Promise<Batch | null>;
  /** Writes down what came of a batch, all of it or nothing: a batch that is not written down is sent again. */
  settle(message: PushMessage, batch: Batch, outcome: BatchOutcome): Promise<void>;
  /** Tries that wait for their time, and when the first of them comes; null for none. */
  waiting(id: number | null): Promise<{ readonly count: number; readonly nextAt: number } | null>;
  /** The newest first. */
  list(limit: number): Promise<readonly PushMessage[]>;
  /**
   * When something may be sent: the past for what is due and nobody's, else the end of its sender's time, or the time
   * of the next try; null when nothing is left.
   */
  nextWorkAt(): Promise<number | null>;
}
