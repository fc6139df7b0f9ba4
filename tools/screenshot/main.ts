/**
 * `npm run screenshot` takes the pictures of the home page and of the operator's desk, against the platform double.
 * `npm run screenshot -- --sheets FOLDER` makes one sheet of pictures for each state of the downloader instead; see
 * `--state`, `--width`, `--scheme` and `--language` below, each a list with commas, and `--whole` for whole pages.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../../tests/support/browser.ts';
import { startJourney } from '../../tests/support/journey.ts';
import { startDemo } from '../../tests/support/promotion.ts';
import { deskEnvironment, takeDeskPicture } from './desk.ts';
import { takePictures } from './pictures.ts';
import { makeSheet } from './sheet.ts';
import { states } from './states.ts';

const { values } = parseArgs({
  options: {
    sheets: { type: 'string' },
    state: { type: 'string', default: Object.keys(states).join() },
    width: { type: 'string', default: '360,768,1440' },
    scheme: { type: 'string', default: 'light,dark' },
    language: { type: 'string', default: 'en,ar' },
    whole: { type: 'boolean', default: false },
  },
});

const names = values.state.split(',');
const unknown = names.filter((name) => states[name] === undefined);
if (unknown.length > 0) throw new Error(`No state ${unknown}: ${Object.keys(states)}`);

const browser = await launchBrowser();
const { sheets } = values;
if (sheets === undefined) {
  const journey = await startJourney();
  await takePictures(browser, journey);
  await journey.stop();
  const withDesk = await startJourney({ env: deskEnvironment });
  await takeDeskPicture(browser, withDesk);
  await withDesk.stop();
} else {
  mkdirSync(sheets, { recursive: true });
  for (const isPromoted of [false, true]) {
    const wanted = names.filter((name) => (states[name]?.isPromoted ?? false) === isPromoted);
    if (wanted.length === 0) continue;
    const journey = await (isPromoted ? startDemo() : startJourney());
    for (const name of wanted) {
      const file = join(sheets, `${name}.png`);
      await makeSheet(browser, journey, name, file, {
        widths: values.width.split(',').map(Number),
        schemes: values.scheme.split(',') as ('light' | 'dark')[],
        languages: values.language.split(','),
        isWhole: values.whole,
      });
      console.log(file);
    }
    await journey.stop();
  }
}
await browser.close();
// The double is shared, and ends with this process.
process.exit();
