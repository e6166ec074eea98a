/** Numbers and names as the reader's language writes them. */
const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
const bytes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export function count(value: number): string {
  return whole.format(value);
}

/** For narrow places; the exact number belongs beside it, or in its title. */
export function shortCount(value: number): string {
  return short.format(value);
}

export function percent(part: number, total: number): string {
  return share.format(total === 0 ? 0 : part / total);
}

export function mebibytes(value: number): string {
  return `${bytes.format(value / 2 ** 20)} MiB`;
}

/** "1 code", "2,000 codes". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

const regions = new Intl.DisplayNames(undefined, { type: "region", fallback: "code" });

/** The country's name; what is no country code stays as it is. */
export function countryName(code: string): string {
  try {
    return regions.of(code) ?? code;
  } catch {
    return code;
  }
}
