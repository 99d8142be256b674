// The proxy of docs/kubernetes is that of docs/replicas.cfg, which finds its replicas by the names of their pods.

/** How many replicas the proxy knows, whether they run or not. */
const replicas = 10;

const resolvers = `# A pod that starts again has another address.
resolvers cluster
  parse-resolv-conf
  accepted_payload_size 8192
  timeout resolve 1s
  timeout retry 1s
  hold valid 1s
`;

/**
 * @param {string} config that of docs/replicas.cfg
 * @returns {string} the text of docs/kubernetes/base/haproxy.cfg: `npm run docs` writes it, and a test holds it
 * @throws Error if there is nothing to put a part in place of
 */
export const toPodsProxy = (config) => {
  /** @type {[RegExp, string][]} */
  const changes = [
    [
      /^# .*\n/,
      '# Written by `npm run docs`, from docs/replicas.cfg: the same, but for where the replicas are.\n',
    ],
    [/\ndefaults\n/, `\n${resolvers}\ndefaults\n`],
    [/ bind 127\.0\.0\.1:4010/, ' bind :4010'],
    // It starts without any name. A server whose name is not known is down, so a replica that is added takes its sessions.
    [/ default-server /, ' default-server resolvers cluster resolve-prefer ipv4 init-addr none '],
    [/(?: +server replica-\d .*\n)+/, Array.from({ length: replicas }, (_, at) => toServer(at)).join('')],
  ];
  return changes.reduce((text, [place, part]) => {
    if (!place.test(text))
      throw new Error(`Failed to write the proxy of the pods: docs/replicas.cfg has no ${place}.`);
    return text.replace(place, () => part);
  }, config);
};

/** @param {number} at */
const toServer = (at) => `  server gateway-mock-${at} "gateway-mock-${at}.\${REPLICAS_DOMAIN}:4010"\n`;
