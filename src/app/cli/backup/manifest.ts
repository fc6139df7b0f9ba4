import { z } from 'zod';

/** Names that an archive may hold; none of them leads out of a folder. */
export const entryName =
  /^(?:database\.sqlite|secret-key|site\.config\.json|manifest\.json|pictures\/[\da-z-]{1,80}\.[a-z]{1,10})$/;

const file = z.strictObject({
  name: z.string().regex(entryName),
  /** Bytes. */
  size: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[\da-f]{64}$/),
});

const schema = z.strictObject({
  /** Grows when an older version could not read the archive. */
  format: z.literal(1, 'a newer version made the archive'),
  /** Version of the product that made it. */
  version: z.string(),
  node: z.string(),
  madeAt: z.iso.datetime(),
  database: z.object({
    /** Engine that it was copied from; in the archive it is a SQLite file. */
    engine: z.enum(['sqlite', 'postgresql']),
    version: z.string(),
    migrations: z.array(z.string()),
    /** How many rows some tables have. */
    rows: z.record(z.string(), z.number().int()),
  }),
  /** Source of the site's key; only a file is in the archive. */
  secretKey: z.enum(['file', 'environment', 'none']),
  files: z.array(file),
});

/** The description that an archive carries. */
export type Manifest = z.output<typeof schema>;
/** One file of an archive. */
export type ArchivedFile = z.output<typeof file>;
/** The description of a copied database. */
export type CopiedDatabase = Manifest['database'];

/** Tables whose rows an operator would miss. */
export const countedTables = ['articles', 'messages', 'takedowns', 'api_keys', 'push_subscriptions'] as const;

/** An archive that cannot be used; its message says why. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

/** @throws ArchiveRefused */
export function readManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArchiveRefused('its manifest is no JSON', { cause: error });
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new ArchiveRefused(`its manifest is wrong: ${issue?.path.join('.')}: ${issue?.message}`);
}
