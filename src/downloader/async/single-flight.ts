interface Flight<T> {
  readonly controller: AbortController;
  readonly result: Promise<T>;
  callers: number;
}

/** Runs a task once for all callers that ask for it at the same time; aborts it when the last caller has left. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** Whether a task runs for this key. */
  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /**
   * Joins the task that runs for this key, or starts it.
   * @param task gets a signal that aborts when the last caller has left
   * @throws what `work` throws, or this caller's abort reason
   */
  run(key: string, signal: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const flight = this.#flights.get(key) ?? this.#start(key, task);
    flight.callers++;
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        flight.callers--;
        if (flight.callers > 0) return;
        this.#forget(key, flight);
        flight.controller.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      flight.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  #start(key: string, task: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const flight: Flight<T> = { controller, result: task(controller.signal), callers: 0 };
    this.#flights.set(key, flight);
    const forget = () => this.#forget(key, flight);
    flight.result.then(forget, forget);
    return flight;
  }

  /** An abandoned flight may still be settling when the next one starts. */
  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
