import { canaryPost } from '../../../downloader/posts/canary/default-link.ts';
import { command } from '../../../server/commands/declaration.ts';

export const doctor = command({
  name: 'doctor',
  about: 'check that the site can run, and tell how to fix what is wrong',
  details:
    'Run it with the environment of the site. Exit code 1: there is an error, or with --strict a warning. It reads a post of the platform. It writes and deletes one object in S3, and opens a free PORT for a moment; nothing else is changed, and without --tell nothing is sent.',
  options: {
    strict: { about: 'treat warnings as errors' },
    tell: { about: 'send a test message to every alarm channel' },
    post: {
      value: 'URL',
      about: 'the post to read from TikTok',
      default: canaryPost,
    },
  },
  load: async () => (await import('./doctor.ts')).runDoctor,
});
