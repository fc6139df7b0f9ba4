/** The site's permission for each kind of file; null until its settings are there. In a file of its own: every page has it. */
export const allowed: { present: { readonly slideshow: boolean; readonly video: boolean } | null } = {
  present: null,
};

export const listeners = new Set<() => void>();

/** Tells everybody who asked that an answer is there. */
export function tellAll(): void {
  for (const listener of listeners) listener();
}
