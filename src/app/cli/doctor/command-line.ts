import { canaryPost } from '../../../downloader/posts/canary/default-link.ts';
import { command } from '../../../server/commands/declaration.ts';

export const doctor = command({
  name: 'doctor',
  about: 'check that the site can run, and tell how to fix what is wrong',
  details:
    'It changes nothing but one test object in S3, which it deletes. Exit code 1: there is an error, or with --strict a warning. Run it with the environment of the site.',
  options: {
    strict: { about: 'treat warnings as errors' },
    post: {
      value: 'URL',
      about: 'the post to read from TikTok',
      default: canaryPost,
    },
  },
  load: async () => (await import('./doctor.ts')).runDoctor,
});
