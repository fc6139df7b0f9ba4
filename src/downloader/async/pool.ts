/**
 * Costly things, such as threads, of which there are a few: each is lent to one borrower at a time, made when it is
 * first needed, and lent again when it comes back.
 */
export class Pool<Member> {
  readonly #size: number;
  readonly #make: () => Member;
  readonly #idle: Member[] = [];
  readonly #alive = new Set<Member>();
  readonly #waiting = new Set<() => void>();

  constructor(size: number, make: () => Member) {
    this.#size = size;
    this.#make = make;
  }

  /** All that exist now, and those of them that are not lent. */
  get alive(): ReadonlySet<Member> {
    return this.#alive;
  }

  get idle(): readonly Member[] {
    return this.#idle;
  }

  /** Makes one that nobody borrows yet. */
  add(): Member {
    const member = this.#make();
    this.#alive.add(member);
    this.give(member);
    return member;
  }

  /** Borrows one; waits while all are lent. @throws the signal's reason */
  async take(signal: AbortSignal): Promise<Member> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#idle.length === 0 && this.#alive.size < this.#size) this.add();
      const member = this.#idle.pop();
      if (member !== undefined) return member;
      await this.#free(signal);
    }
  }

  /** Gives one back; one that was forgotten in the meantime stays forgotten. */
  give(member: Member): void {
    if (this.#alive.has(member)) this.#idle.push(member);
    this.#wakeNext();
  }

  /** This one has ended, and another may be made in its place. */
  forget(member: Member): void {
    if (!this.#alive.delete(member)) return;
    const at = this.#idle.indexOf(member);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#wakeNext();
  }

  #wakeNext(): void {
    const [wake] = this.#waiting;
    wake?.();
  }

  /** Resolves when it is this borrower's turn to look again, or it has left. */
  #free(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => {
      this.#waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    return promise;
  }
}
