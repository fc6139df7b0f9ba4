import { z } from 'zod';
import { defineVariables } from '../../process/variables.ts';

function isPlace(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return text.startsWith('/');
  const { protocol, username, password, pathname } = url;
  return /^https?:$/.test(protocol) && username !== '' && password !== '' && pathname.length > 1;
}

/** The place of backups, and the rule that keeps them. */
export const backupVariables = defineVariables({
  BACKUP_TO: z
    .string()
    .refine(isPlace, 'must be a folder like /backups, or a bucket like https://KEY:SECRET@s3.example/bucket')
    .optional(),
  BACKUP_KEEP: z
    .string()
    .regex(/^\d{1,3}(?:,\d{1,3}){2}$/, 'must be three numbers, of days, weeks and months, like 7,5,12')
    .default('7,5,12')
    .transform((text) => {
      const [days = 0, weeks = 0, months = 0] = text.split(',').map(Number);
      return { days, weeks, months };
    }),
});
