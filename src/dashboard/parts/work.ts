/** What a screen waits for and keeps: things that it loads, things that it does, what is answered in its fields. */
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { isAbort, Refusal } from "../api/client.ts";

export interface Load<T> {
  /** The last that came, also while a newer one is on its way. */
  value: T | null;
  error: unknown;
  busy: boolean;
  reload: () => void;
  /** Puts what is known now in the place of what was loaded. */
  set: (value: T) => void;
}

/** Loads when the screen opens, and again when one of the inputs changes; an answer that came too late is dropped. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Load<T> {
  const state = useSignal<{ value: T | null; error: unknown; busy: boolean }>({
    value: null,
    error: null,
    busy: true,
  });
  const round = useSignal(0);
  useEffect(() => {
    const control = new AbortController();
    state.value = { ...state.peek(), busy: true };
    load(control.signal).then(
      (value) => {
        if (!control.signal.aborted) state.value = { value, error: null, busy: false };
      },
      (error) => {
        if (control.signal.aborted || isAbort(error)) return;
        state.value = { value: state.peek().value, error, busy: false };
      },
    );
    return () => control.abort();
  }, [round.value, ...inputs]);
  const { value, error, busy } = state.value;
  return {
    value,
    error,
    busy,
    reload: () => {
      round.value += 1;
    },
    set: (known) => {
      state.value = { value: known, error: null, busy: false };
    },
  };
}

export interface Work {
  busy: boolean;
  error: unknown;
  /** What the last attempt said of this field, for the form to show beside it. */
  problemOf: (field: string) => string | null;
  /** One at a time; gives whether it succeeded. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
  /** The same for a form, when it is sent. */
  submit: (work: () => Promise<unknown>) => (event: Event) => void;
  clear: () => void;
}

/** Something that the reader set off, such as saving. */
export function useWork(): Work {
  const busy = useSignal(false);
  const error = useSignal<unknown>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    if (busy.peek()) return false;
    busy.value = true;
    error.value = null;
    try {
      await work();
      return true;
    } catch (caught) {
      if (!isGone.current) error.value = caught;
      return false;
    } finally {
      busy.value = false;
    }
  }, []);
  return {
    busy: busy.value,
    error: error.value,
    problemOf: (field) => problemOf(error.value, field),
    run,
    submit: (work) => (event) => {
      event.preventDefault();
      void run(work);
    },
    clear: () => {
      error.value = null;
    },
  };
}

/** The message, without the name of the field in front of it, when it is about this field. */
export function problemOf(error: unknown, field: string): string | null {
  if (!(error instanceof Refusal) || error.field === null) return null;
  const isHere =
    error.field === field || error.field.startsWith(`${field}.`) || error.field.startsWith(`${field}[`);
  if (!isHere) return null;
  const words = error.message.slice(error.field.length).trim();
  return `It ${words}${words.endsWith(".") ? "" : "."}`;
}

/** A value that follows another one when that has been still for a while. */
export function useSettled<T>(value: T, ms: number): ReadonlySignal<T> {
  const settled = useSignal(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = value;
    }, ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** For a field: what it shows, and where what is answered goes. */
export function kept<T>(signal: Signal<T>): { value: T; onValue: (value: T) => void } {
  return {
    value: signal.value,
    onValue: (value) => {
      signal.value = value;
    },
  };
}

/** For a press: puts this value there. */
export function setting<T>(signal: Signal<T>, value: T): () => void {
  return () => {
    signal.value = value;
  };
}
