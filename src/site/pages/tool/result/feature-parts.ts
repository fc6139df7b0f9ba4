/** The features' additions to a result: each file has one, or a list. */
export const resultParts: readonly unknown[] = Object.values(
  import.meta.glob('../../../../features/*/browser/result.tsx', { eager: true, import: 'default' }),
).flat();
