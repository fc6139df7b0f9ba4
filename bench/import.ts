/**
 * `posts import` of many Markdown files beside a site that takes messages, for the first time and without a change, on
 * both databases: articles a minute, the longest wait for a message, and the command's memory at the most.
 * With an argument so many articles in place of 100,000. Linux only.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { engines } from '../src/stores/contracts/testing/databases.ts';
import { startProduct } from '../tests/support/product.ts';
import { highestMemoryMb } from './support/process-cost.ts';
import { print } from './support/report.ts';

const count = Number(process.argv[2] ?? 100_000);
const paragraph = 'A sentence about how a video is saved, with [a link](/posts) and **emphasis** in it. ';

function writeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-import-'));
  const put = (path: string, content: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  put('categories/guides.yaml', 'uid: 1\nslug: guides\nnames:\n  en: Guides\n');
  put('authors/editors/en.md', '---\nname: Editors\n---\nWe write.\n');
  for (let n = 0; n < count; n++) {
    const front = `title: Article ${n}\ndescription: What it is about\ncategory: guides\nauthor: editors\npublished: 2026-11-20T08:00:00Z\n`;
    put(`articles/article-${n}/en.md`, `---\n${front}---\n\n## First\n\n${paragraph.repeat(30)}\n`);
  }
  return folder;
}

/** Runs the import as an operator does. @returns how long it took, and its memory at the most */
async function importFolder(folder: string, env: Readonly<Record<string, string>>) {
  const start = performance.now();
  let memory = 0;
  const child = execFile('npm', ['run', '--silent', 'cli', '--', 'posts', 'import', folder, '--json'], {
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let isRunning = true;
  const code = ended.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    memory = Math.max(memory, highestMemoryMb(child.pid ?? 0));
    await Promise.race([ended, delay(250)]);
  }
  if ((await code) !== 0) throw new Error('the import failed');
  return { ms: performance.now() - start, memory };
}

/** Sends messages one after another until it is told to stop. @returns how long each took, in ms */
function sendMessages(origin: string): { stop(): Promise<number[]> } {
  const times: number[] = [];
  let isOver = false;
  const sending = (async () => {
    while (!isOver) {
      const start = performance.now();
      const answer = await fetch(`${origin}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          name: 'Ada',
          email: 'ada@example.org',
          subject: 'A question',
          message: `How do I save a slideshow with its sound? ${times.length}`,
        }),
      });
      if (answer.status !== 200) throw new Error(`a message was answered with ${answer.status}`);
      await answer.arrayBuffer();
      times.push(performance.now() - start);
      await delay(100);
    }
    return times;
  })();
  return {
    stop() {
      isOver = true;
      return sending;
    },
  };
}

const folder = writeFolder();
for (const engine of engines) {
  const place = await engine.makePlace();
  const env = { ...place.environment, MESSAGES_PER_HOUR: '100000' };
  const product = await startProduct({ env });
  for (const what of ['new', 'unchanged']) {
    const messages = sendMessages(product.origin);
    const { ms, memory } = await importFolder(folder, env);
    const times = await messages.stop();
    const name = `${engine.name}, ${count} ${what} articles`;
    print({ what: name, value: (count * 60_000) / ms, unit: 'a minute', atLeast: 10_000 });
    print({ what: `${name}, whole`, value: ms / 1000, unit: 's' });
    print({ what: `${name}, memory`, value: memory, unit: 'MB', atMost: 400 });
    print({
      what: `${name}, the longest of ${times.length} messages`,
      value: Math.max(...times),
      unit: 'ms',
      atMost: 1000,
    });
  }
  await product.stop();
  await place.remove();
}
rmSync(folder, { recursive: true });
