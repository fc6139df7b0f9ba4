/** The operator's commands: `npm run cli -- NAME …`. */

import packageFile from '../../../package.json' with { type: 'json' };
import type { CommandTools } from '../../server/commands/declaration.ts';
import { commands } from './commands.ts';
import { runProgram } from './program.ts';

const tools: CommandTools = {
  async readConfiguration(file) {
    const { readConfigurationFile } = await import('../parts/read-site-configuration.ts');
    return readConfigurationFile(file, process.env.SITE_ORIGIN);
  },
  async openPlatform(environment) {
    const { assemblePlatform } = await import('../parts/downloader/platform.ts');
    return assemblePlatform(environment, { searchPath: process.env.PATH ?? '' });
  },
};

// The reader may close the pipe early (`head`): exit quietly, but fail for a truncated archive.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(1);
});

process.exitCode = await runProgram(process.argv.slice(2), commands, {
  name: process.env.npm_lifecycle_event === 'cli' ? 'npm run cli --' : 'clipferry',
  version: packageFile.version,
  tools,
});
