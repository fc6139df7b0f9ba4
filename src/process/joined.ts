/**
 * Puts named things of several owners together.
 * @param kind what they are, for the error
 * @throws Error that names what two owners have
 */
export function joined<T>(
  kind: string,
  parts: readonly (Readonly<Record<string, T>> | undefined)[],
): Record<string, T> {
  const all: Record<string, T> = {};
  for (const part of parts)
    for (const [name, one] of Object.entries(part ?? {})) {
      if (Object.hasOwn(all, name))
        throw new Error(`Two features, or one and the core, have a ${kind} "${name}"`);
      all[name] = one;
    }
  return all;
}
