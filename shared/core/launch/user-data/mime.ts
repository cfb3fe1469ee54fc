import { UserDataError } from "./input.ts";

/** A part of a multipart message: its headers and body as they stood. */
export interface MimePart {
  readonly contentType: string;
  readonly body: string;
}

const boundary = "//";

/** One multipart/mixed message, as cloud-init and nodeadm read it. */
export function mimeMessage(parts: readonly MimePart[]): string {
  const lines = ["MIME-Version: 1.0", `Content-Type: multipart/mixed; boundary="${boundary}"`, ""];
  for (const part of parts) {
    lines.push(
      `--${boundary}`,
      `Content-Type: ${part.contentType}`,
      "",
      part.body.replace(/\r\n/g, "\n").trimEnd(),
      "",
    );
  }
  lines.push(`--${boundary}--`, "");
  return lines.join("\n");
}

/** Whether the text is a multipart message already. */
export function isMime(text: string): boolean {
  return /^(MIME-Version|Content-Type):/i.test(text.trimStart());
}

/** Parts of a multipart message. Throws UserDataError if it names no boundary or has no part. */
export function mimeParts(text: string): readonly MimePart[] {
  const normal = text.replace(/\r\n/g, "\n").trimStart();
  const mark = /boundary="?([^"\n;]+)"?/i.exec(normal)?.[1];
  if (mark === undefined) throw new UserDataError("spec.userData: a MIME message without a boundary");
  const parts = normal
    .split(`--${mark}`)
    .slice(1)
    .filter((part) => !part.startsWith("--"))
    .map((part) => {
      const [head = "", ...rest] = part.replace(/^\n/, "").split("\n\n");
      return {
        contentType: /^Content-Type:\s*(.+)$/im.exec(head)?.[1]?.trim() ?? "text/plain",
        body: rest.join("\n\n"),
      };
    });
  if (parts.length === 0) throw new UserDataError("spec.userData: a MIME message without parts");
  return parts;
}
