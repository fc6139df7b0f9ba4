/** Articles a minute that `posts import` brings in from Markdown files, for the first time and without a change, on both databases. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines } from '../src/stores/contracts/testing/databases.ts';
import { runCli } from '../tests/support/cli.ts';
import { print } from './support/report.ts';

const count = 10_000;
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

const folder = writeFolder();
for (const engine of engines) {
  const place = await engine.makePlace();
  for (const what of ['new', 'unchanged']) {
    const start = performance.now();
    const { code, errors } = await runCli(['posts', 'import', folder, '--json'], place.environment);
    if (code !== 0) throw new Error(errors);
    const perMinute = (count * 60_000) / (performance.now() - start);
    print({ what: `${engine.name}, ${what} articles`, value: perMinute, unit: 'a minute', atLeast: 10_000 });
  }
  await place.remove();
}
rmSync(folder, { recursive: true });
