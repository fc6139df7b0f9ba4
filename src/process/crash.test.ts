import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

/** A process that reports with a delay, and crashes as a script says. */
function lost(how: string, wait = 'return new Promise((resolve) => setTimeout(resolve, 20))') {
  const script = `
    import { reportCrash } from ${JSON.stringify(new URL('./crash.ts', import.meta.url).href)};
    const reported = [];
    reportCrash((error) => {
      reported.push(error.message);
      ${wait}
    });
    process.on('exit', () => console.log('reported ' + reported));
    ${how}
    setInterval(() => {}, 1000);`;
  return new Promise<{ code: unknown; out: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], (error, out, stderr) =>
      resolve({ code: error?.code ?? 0, out, stderr }),
    );
  });
}

test.each([
  ['an error', "setTimeout(() => { throw new Error('the end') });"],
  ['a promise', "Promise.reject(new Error('the end'));"],
])('reports what ends the process first, and prints it as usual: %s', async (_, how) => {
  const { code, out, stderr } = await lost(how);
  expect([code, out]).toEqual([1, 'reported the end\n']);
  expect(stderr).toContain('Error: the end');
});

test('a failing report does not prevent the end', async () => {
  const { code } = await lost(
    "setTimeout(() => { throw new Error('x') });",
    "return Promise.reject(new Error('y'))",
  );
  expect(code).toBe(1);
});
