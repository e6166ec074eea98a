const nameCharsMax = 100;

/** A header that lets a file be saved under the label of its code, safe for every label. */
export function contentDisposition(label: string, extension: string): string {
  const name = fileName(label);
  const ascii = name.normalize("NFKD").replace(/[^A-Za-z0-9 ._-]+/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}.${extension}"; filename*=UTF-8''${encoded}.${extension}`;
}

/** Nothing that a file system takes for a path, a device, a hidden file or a command's option. */
function fileName(label: string): string {
  const plain = [...label.normalize("NFC")]
    .map((char) => (/[\p{C}\p{Z}/\\:*?"<>|%]/u.test(char) ? " " : char))
    .join("")
    .replace(/ +/g, " ")
    .replace(/^[ .~-]+/, "");
  const short = [...plain]
    .slice(0, nameCharsMax)
    .join("")
    .replace(/[ .]+$/, "");
  return short === "" || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short) ? "qr-code" : short;
}
