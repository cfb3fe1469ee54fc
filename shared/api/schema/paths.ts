/** The path of a named field under another; the root's path is empty. */
export function childPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** The path of a list's element. */
export function indexPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

/** The path of a map's entry, in the form that list-type and CEL errors use. */
export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`;
}
