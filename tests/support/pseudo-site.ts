/** The production build with pseudo texts: longer ones in place of English, right-to-left ones in place of Arabic. */
process.env.NODE_ENV ??= 'production';

import { runSite } from '../../src/app/programs/run-site.ts';
import { configureCatalogue } from '../../src/i18n/catalogue.ts';

configureCatalogue({ pseudo: true });
await runSite();
