/** The member that is looked for. */
export const key = 'webapp.video-detail';

/** Pages that try a reader's patience, by what they repeat. */
export const longRuns: readonly (readonly [string, (count: number) => string])[] = [
  [
    'backslashes and quotes',
    (count: number) => `{"${key}":{"a":"${'\\'.repeat(2 * count)}","b":"${'\\"'.repeat(count)}"}}`,
  ],
  ['its own name', (count: number) => `{"${key}":{"a":["${key}"${`,"${key}"`.repeat(count)}]}}`],
  [
    'its own name with spaces',
    (count: number) => `{"${key}":{"a":1}, "b":["x"${`, "${key}"          `.repeat(count)}]}`,
  ],
];
