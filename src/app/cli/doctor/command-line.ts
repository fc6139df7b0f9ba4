import { canaryPost } from '../../../downloader/posts/canary/default-link.ts';
import { command } from '../../../server/commands/declaration.ts';

export const doctor = command({
  name: 'doctor',
  about: 'check the installation, and say how to fix problems',
  details:
    'Run it with the environment of the site. It exits with 1 on an error, with --strict also on a warning. It reads one post from TikTok, writes and deletes one object in S3, and opens PORT for a moment if it is free. It changes nothing else, and sends nothing without --tell.',
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
