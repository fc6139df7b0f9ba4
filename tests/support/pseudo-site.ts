/** The production build with pseudo texts: longer ones in place of English, right-to-left ones in place of Arabic. */
process.env.NODE_ENV ??= 'production';

import { configureCatalogue } from '../../src/i18n/catalogue.ts';
import { runSite } from '../../src/start/run-site.ts';

configureCatalogue({ pseudo: true });
await runSite();
