import { relative } from 'node:path';
import { ImportRefused } from '../../../../content/files/problems.ts';
import { importContent } from '../../../../content/import/import-content.ts';
import { withDatabase, withPictures } from '../../../../server/commands/stores.ts';
import { reservedSlugs } from '../../../../server/instance/reserved-slugs.ts';
import { mostLetters } from '../../audit-log.ts';
import { firstProblems, type ImportOrder, type ImportResult } from './import-orders.ts';
import { unpackZip } from './unpack-zip.ts';

/** Does what `posts import` does, with an archive. */
async function carryOut(order: ImportOrder): Promise<ImportResult> {
  const { zip, folder, dryRun, unpublished, configuration } = order;
  try {
    const content = await unpackZip(zip, folder);
    const report = await withDatabase(
      (database, environment) =>
        withPictures(database, environment, (pictures) =>
          importContent(database, {
            folder: content,
            parts: ['categories', 'authors', 'articles'],
            names: reservedSlugs(configuration),
            ...{ dryRun, unpublished, pictures },
            now: Date.now(),
            onProgress: () => {},
          }),
        ),
      'content',
    );
    return { kind: 'done', report };
  } catch (thrown) {
    if (!(thrown instanceof ImportRefused))
      return { kind: 'failed', text: String(thrown).slice(0, mostLetters) };
    const problems = thrown.problems.map(({ file, ...rest }) => ({
      ...rest,
      // As the archive names it.
      file: file.startsWith(folder) ? relative(folder, file) || 'the archive' : file,
    }));
    return { kind: 'refused', ...firstProblems(problems) };
  }
}

// Without the site nobody hears the result, and its next start deletes what is read here.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (order) => carryOut(order as ImportOrder).then((result) => process.send?.(result)));
