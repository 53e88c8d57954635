/// <reference lib="esnext.disposable" preserve="true" />
import { dispose } from "../utils/dispose.js";

/** A variable with dynamic extent: the counterpart of Python's `with` scopes. A scope never spans an `await`. */
export class Dynamic<T> {
  #current: T;

  constructor(initial: T) {
    this.#current = initial;
  }

  get(): T {
    return this.#current;
  }

  /** Sets `value` until the returned handle is disposed. */
  enter(value: T): Disposable {
    const previous = this.#current;
    this.#current = value;
    return {
      [dispose]: () => {
        this.#current = previous;
      },
    };
  }

  /** Sets `value`, and gives the former one for the caller to put back. */
  exchange(value: T): T {
    const previous = this.#current;
    this.#current = value;
    return previous;
  }

  /** Runs `fn` while `value` is set. */
  run<R>(value: T, fn: () => R): R {
    const previous = this.#current;
    this.#current = value;
    try {
      return fn();
    } finally {
      this.#current = previous;
    }
  }
}
