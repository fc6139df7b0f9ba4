// Adds the ffmpeg that the image is built with to npm's list of packages, where scanners find it:
// `node list-ffmpeg.mjs sbom.spdx.json VERSION`.
import { readFileSync, writeFileSync } from 'node:fs';

const [file, version] = process.argv.slice(2);
const list = JSON.parse(readFileSync(file, 'utf8'));
const [{ relatedSpdxElement: product }] = list.relationships.filter(
  ({ relationshipType }) => relationshipType === 'DESCRIBES',
);
const id = 'SPDXRef-Package-ffmpeg';
list.packages.push({
  name: 'ffmpeg',
  SPDXID: id,
  versionInfo: version,
  downloadLocation: 'NOASSERTION',
  filesAnalyzed: false,
  licenseDeclared: 'GPL-2.0-or-later',
  externalRefs: [
    {
      referenceCategory: 'PACKAGE-MANAGER',
      referenceType: 'purl',
      referenceLocator: `pkg:deb/debian/ffmpeg@${encodeURIComponent(version)}?arch=source`,
    },
  ],
});
list.relationships.push({ spdxElementId: product, relationshipType: 'CONTAINS', relatedSpdxElement: id });
writeFileSync(file, JSON.stringify(list));
