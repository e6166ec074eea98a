/** Numbers and names as the reader's language writes them. */
/** Made when it is first needed: each takes a millisecond or more, and the first view needs few. */
function once<T>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

const whole = once(() => new Intl.NumberFormat());
const short = once(() => new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 }));
const share = once(() => new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 }));

export function count(value: number): string {
  return whole().format(value);
}

/** For narrow places; the exact number belongs beside it, or in its title. */
export function shortCount(value: number): string {
  return short().format(value);
}

export function percent(part: number, total: number): string {
  return share().format(total === 0 ? 0 : part / total);
}

/** "1 code", "2,000 codes". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

const regions = once(() => new Intl.DisplayNames(undefined, { type: "region", fallback: "code" }));

/** The country's name; what is no country code stays as it is. */
export function countryName(code: string): string {
  try {
    return regions().of(code) ?? code;
  } catch {
    return code;
  }
}
