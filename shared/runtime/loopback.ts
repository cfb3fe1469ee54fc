/** Whether a URL's host is this very host: 127.0.0.0/8, ::1 or localhost (RFC 6761). No URL is not. */
export function isOnLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  // A URL of http or https has its address in the usual notation: other spellings of 127.0.0.1 are turned into it.
  return /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(new URL(url).hostname);
}
