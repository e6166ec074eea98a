/**
 * What is mostly there already, and sometimes has to be waited for: a promise for each would cost more than many a request.
 */
export type AtOnce<T> = Promise<T> | T;

/** Goes on with it, at once where it is there. */
export function goOn<T, R>(value: AtOnce<T>, next: (value: T) => AtOnce<R>): AtOnce<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
