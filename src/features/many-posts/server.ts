import { sendWorker } from '../../server/endpoints/service-workers.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { paceService } from './pace.ts';
import { policyName, workerPath } from './paths.ts';

/** The script that reads exports; without a build there is none. */
export default function openManyPosts({ environment, site: { shell } }: Core): FeatureServer {
  const script = shell?.scripts.ofFeatures['many-posts'];
  const { RESOLVES_PER_MINUTE: posts, FILES_PER_MINUTE: files } = environment;
  return {
    services: paceService.provide({ posts, files }),
    policy: { trustedTypes: [policyName] },
    routes(app) {
      if (script === undefined) return;
      app.get(workerPath, (request, reply) => sendWorker(script, request, reply, { isRevalidated: true }));
    },
  };
}
