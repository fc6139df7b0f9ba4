import { canaryPost } from '../../../downloader/posts/canary/default-link.ts';
import { command } from '../../../server/commands/declaration.ts';

export const doctor = command({
  name: 'doctor',
  about: 'check everything that the site needs, and say what is wrong and what to do',
  details:
    'It changes nothing. Exit code 1: there is an error, or with --strict a warning. Run it with the environment of the site.',
  options: {
    strict: { about: 'let warnings fail as well' },
    post: {
      value: 'URL',
      about: 'the post that is read from the platform',
      default: canaryPost,
    },
  },
  load: async () => (await import('./doctor.ts')).runDoctor,
});
