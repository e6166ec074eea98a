const headEnd = "\r\n\r\n";
const bodyLength = /\r\ncontent-length: (\d+)\r\n/i;

/** Whether all of an answer is here. Some redirects have a body, of a line break. */
export function isWhole(answer: string): boolean {
  const head = answer.indexOf(headEnd);
  if (head < 0) return false;
  return answer.length >= head + headEnd.length + Number(bodyLength.exec(answer)?.[1] ?? 0);
}
