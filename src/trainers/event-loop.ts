interface Scheduling {
  readonly setImmediate?: (fn: () => void) => void;
  readonly MessageChannel?: new () => {
    port1: { onmessage: unknown; close(): void };
    port2: { postMessage(value: null): void };
  };
}
const { setImmediate } = globalThis as Scheduling;

/** Lets timers, servers and the screen have their turn. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate) return setImmediate(resolve);
    // Looked up only here: Node loads its workers and streams when it is first asked for the class.
    const { MessageChannel } = globalThis as Scheduling;
    if (!MessageChannel) return void setTimeout(resolve, 0);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Milliseconds of work between two turns of the event loop. */
const turn = 50;

/** Says when a long loop has to let others have their turn. */
export class Breather {
  #last = performance.now();

  /** Whether it is time for `breathe`. */
  get isDue(): boolean {
    return performance.now() - this.#last > turn;
  }
  async breathe(): Promise<void> {
    await yieldToEventLoop();
    this.#last = performance.now();
  }
}
