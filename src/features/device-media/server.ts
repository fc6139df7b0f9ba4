import type { FastifyInstance } from 'fastify';
import { sendWorker } from '../../server/endpoints/service-workers.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { deviceMediaFields } from './configuration.ts';
import { framesEndpoints } from './endpoints/frames.ts';
import { slideshowEndpoints } from './endpoints/slideshow-parts.ts';
import { policyName, workerPaths } from './paths.ts';

/** Source of code that a worker runs besides its own: the codecs of mp3 are compiled, which no page may. */
const run = { mp3: ["'wasm-unsafe-eval'"], video: [] };

/** Without the configuration's wish, or a build, devices make nothing. */
export default function openDeviceMedia({ configuration, site: { shell } }: Core): FeatureServer {
  const {
    device_mp3,
    device_slideshow: slideshow,
    device_video: video,
  } = deviceMediaFields.of(configuration);
  const mp3Ahead = device_mp3.ahead;
  if (shell === undefined || (mp3Ahead === null && !slideshow && !video)) return {};
  const serve = (app: FastifyInstance, name: keyof typeof workerPaths) => {
    const script = shell.scripts.ofFeatures[`device-media-${name}`];
    if (script === undefined) throw new Error(`the worker ${name} is not built`);
    app.get(workerPaths[name], (request, reply) =>
      sendWorker(script, request, reply, { run: run[name], isRevalidated: true }),
    );
  };
  return {
    settings: () => ({ deviceMedia: { ...(mp3Ahead !== null && { mp3Ahead }), slideshow, video } }),
    policy: { trustedTypes: [policyName] },
    routes(app, parts) {
      if (mp3Ahead !== null) {
        framesEndpoints(app, parts);
        serve(app, 'mp3');
      }
      if (slideshow) slideshowEndpoints(app, parts);
      if (slideshow || video) serve(app, 'video');
    },
  };
}
