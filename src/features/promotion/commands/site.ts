import { dirname } from 'node:path';
import { readEnvironment } from '../../../process/environment.ts';
import { type CommandTools, fromCaller } from '../../../server/commands/declaration.ts';
import { printError, printJson, printText, terminalColumns } from '../../../server/commands/print.ts';
import { siteFindings } from '../../../server/commands/site-findings.ts';
import { withDatabase, withPictures } from '../../../server/commands/stores.ts';
import { openOwnSite } from '../../../server/own-site/own-site.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { promotionOf } from '../configuration/promotion.ts';
import { keepPromotedPicture, pictureProblems, referencedPictures } from '../pictures/promoted-pictures.ts';
import { readPictureSource } from '../pictures/read-source.ts';
import { promotionTable, promotionText, unseenAds } from './promotion-table.ts';

/** Reads the pictures that a configuration names, one after the other; `read` is null for one that cannot be had. */
async function findPictures(configuration: SiteConfiguration, file: string) {
  const found = [];
  for (const wanted of referencedPictures(promotionOf(configuration).items, configuration.locales)) {
    const of = { source: wanted.source, fields: wanted.items.map(({ field }) => field) };
    try {
      const read = await readPictureSource(wanted.source, dirname(file));
      const { width, height } = read;
      const picture = { ...of, width, height, problems: pictureProblems(wanted, read) };
      found.push({ ...wanted, read, picture });
    } catch (error) {
      found.push({ ...wanted, read: null, picture: { ...of, problems: [(error as Error).message] } });
    }
  }
  return found;
}

type FoundPictures = Awaited<ReturnType<typeof findPictures>>;

function printProblems(found: FoundPictures): void {
  for (const { source, fields, problems } of found.map(({ picture }) => picture))
    for (const problem of problems) printError(`${source} ${problem} (${fields.join(', ')})`);
}

interface Call {
  readonly file: string | undefined;
  readonly json: boolean;
}

const fileOf = ({ file }: Call): string =>
  file === undefined ? readEnvironment(process.env).SITE_CONFIG : fromCaller(file);

/**
 * Checks a site configuration and the site's folder, and shows what pages promote.
 * @returns 1 when a picture of it is wrong, or a text of the folder has no place
 */
export async function checkSite(call: Call, { readConfiguration }: CommandTools): Promise<number> {
  const file = fileOf(call);
  const configuration = await readConfiguration(file);
  const { SITE_DIR, SITE_ORIGIN } = readEnvironment(process.env);
  const origin = SITE_ORIGIN ?? `https://${configuration.domain}`;
  const { leftOut, gaps } = await openOwnSite(SITE_DIR, configuration.locales);
  const missing = siteFindings(configuration, origin);
  const found = await findPictures(configuration, file);
  const rows = promotionTable(configuration);
  const unseen = unseenAds(configuration);
  const picturesAreRight = found.every(({ picture }) => picture.problems.length === 0);
  const isRight = picturesAreRight && leftOut.length === 0;
  if (call.json)
    printJson({
      shown: rows,
      unseen,
      pictures: found.map(({ picture }) => picture),
      missing: missing.map(({ of, what, todo }) => ({ field: of, what, todo })),
      leftOut: leftOut.map(({ of, what }) => ({ file: of, what })),
      gaps: gaps.map(({ of, what }) => ({ file: of, what })),
    });
  else {
    printText(await promotionText(rows, configuration, terminalColumns()));
    for (const field of unseen) printText(`${field} is on none of these pages; perhaps on an article.`);
    printProblems(found);
    for (const { what, todo } of missing) printError(`${what} -> ${todo}`);
    for (const { of, what } of [...leftOut, ...gaps]) printError(`${of}: ${what}`);
    printText(
      `${file} is right${picturesAreRight ? '' : ', but for its pictures'}; ${found.length} picture(s).`,
    );
  }
  return isRight ? 0 : 1;
}

/** Makes the pictures that a site configuration names. @returns 1 when one of them could not be made */
export async function makeSitePictures(call: Call, { readConfiguration }: CommandTools): Promise<number> {
  const file = fileOf(call);
  const found = await findPictures(await readConfiguration(file), file);
  const made: { source: string; result: string }[] = [];
  await withDatabase((database, environment) =>
    withPictures(database, environment, async (pictures) => {
      for (const { source, items, read, picture } of found) {
        if (read === null || picture.problems.length > 0) continue;
        const widths = items.map(({ size }) => size.width);
        const result = await keepPromotedPicture(database.query, pictures, source, read, widths);
        made.push({ source, result });
      }
    }),
  );
  if (call.json) printJson({ made, pictures: found.map(({ picture }) => picture) });
  else {
    for (const { source, result } of made) printText(`${source}: ${result}`);
    printProblems(found);
  }
  return made.length === found.length ? 0 : 1;
}
