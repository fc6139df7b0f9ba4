/** Does a piece of work so many times, some at once. @param work gets its number, from 0 */
export async function inTurns(
  count: number,
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
