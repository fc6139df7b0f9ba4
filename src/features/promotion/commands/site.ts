import { dirname } from 'node:path';
import { readEnvironment } from '../../../process/environment.ts';
import type { CommandTools } from '../../../web/commands/declaration.ts';
import { fromCaller } from '../../../web/commands/paths.ts';
import { printError, printJson, printText } from '../../../web/commands/print.ts';
import { siteFindings } from '../../../web/commands/site-findings.ts';
import { withDatabase, withPictures } from '../../../web/commands/stores.ts';
import { terminalColumns } from '../../../web/commands/table.ts';
import type { SiteConfiguration } from '../../../web/configuration/configuration.ts';
import {
  pictureProblems,
  type ReferencedPicture,
  referencedPictures,
  unseenAds,
} from '../configuration/ad-pictures.ts';
import { keepPromotedPicture } from '../pictures/promoted-pictures.ts';
import { readPictureSource } from '../pictures/read-source.ts';
import { pathsOf, promotionTable, promotionText } from './promotion-table.ts';

/** A picture as it was found. */
interface FoundPicture {
  readonly wanted: ReferencedPicture;
  /** Null where it cannot be read. */
  readonly bytes: Buffer | null;
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly problems: readonly string[];
}

async function findPicture(wanted: ReferencedPicture, folder: string): Promise<FoundPicture> {
  try {
    const { bytes, ...size } = await readPictureSource(wanted.source, folder);
    return { wanted, bytes, size, problems: pictureProblems(wanted, size) };
  } catch (error) {
    return { wanted, bytes: null, size: null, problems: [(error as Error).message] };
  }
}

async function findPictures(configuration: SiteConfiguration, file: string): Promise<FoundPicture[]> {
  const found: FoundPicture[] = [];
  for (const wanted of referencedPictures(configuration.promotion, configuration.locales))
    found.push(await findPicture(wanted, dirname(file)));
  return found;
}

function printProblems(found: readonly FoundPicture[]): void {
  for (const { wanted, problems } of found) {
    const fields = wanted.places.map(({ field }) => field).join(', ');
    for (const problem of problems) printError(`${wanted.source} ${problem} (${fields})`);
  }
}

const asJson = (found: readonly FoundPicture[]) =>
  found.map(({ wanted: { source, places }, size, problems }) => ({
    source,
    fields: places.map(({ field }) => field),
    ...size,
    problems,
  }));

async function check(configuration: SiteConfiguration, file: string, isJson: boolean): Promise<number> {
  const missing = siteFindings(
    configuration,
    readEnvironment(process.env).SITE_ORIGIN ?? `https://${configuration.domain}`,
  );
  const found = await findPictures(configuration, file);
  const rows = promotionTable(configuration);
  const unseen = unseenAds(configuration.promotion.ads, pathsOf(configuration));
  const isRight = found.every(({ problems }) => problems.length === 0);
  if (isJson)
    printJson({
      shown: rows,
      unseen,
      pictures: asJson(found),
      missing: missing.map(({ of, what, todo }) => ({ field: of, what, todo })),
    });
  else {
    printText(await promotionText(rows, configuration, terminalColumns()));
    for (const field of unseen) printText(`${field} is on none of these pages; perhaps on an article.`);
    printProblems(found);
    for (const { what, todo } of missing) printError(`${what} -> ${todo}`);
    printText(`${file} is right${isRight ? '' : ', but for its pictures'}; ${found.length} picture(s).`);
  }
  return isRight ? 0 : 1;
}

async function makePictures(
  configuration: SiteConfiguration,
  file: string,
  isJson: boolean,
): Promise<number> {
  const found = await findPictures(configuration, file);
  const results = await withDatabase((database, environment) =>
    withPictures(database, environment, async (pictures) => {
      const done: { source: string; result: string }[] = [];
      for (const { wanted, bytes, problems } of found) {
        if (bytes === null || problems.length > 0) continue;
        const widths = wanted.places.map(({ rule }) => rule.width);
        done.push({
          source: wanted.source,
          result: await keepPromotedPicture(database.query, pictures, wanted.source, bytes, widths),
        });
      }
      return done;
    }),
  );
  if (isJson) printJson({ made: results, pictures: asJson(found) });
  else {
    for (const { source, result } of results) printText(`${source}: ${result}`);
    printProblems(found);
  }
  return results.length === found.length ? 0 : 1;
}

interface Call {
  readonly file: string | undefined;
  readonly json: boolean;
}

const fileOf = ({ file }: Call): string =>
  file === undefined ? readEnvironment(process.env).SITE_CONFIG : fromCaller(file);

/** Checks a site configuration and shows what pages promote. @returns 1 when a picture of it is wrong */
export async function checkSite(call: Call, { readConfiguration }: CommandTools): Promise<number> {
  const file = fileOf(call);
  return check(await readConfiguration(file), file, call.json);
}

/** Makes the pictures that a site configuration names. @returns 1 when one of them could not be made */
export async function makeSitePictures(call: Call, { readConfiguration }: CommandTools): Promise<number> {
  const file = fileOf(call);
  return makePictures(await readConfiguration(file), file, call.json);
}
