// The proxy of docs/kubernetes is that of docs/replicas.cfg, with the names of the replicas' services.

/**
 * @param {string} config that of docs/replicas.cfg
 * @returns {string} the text of docs/kubernetes/base/haproxy.cfg, which `npm run docs` writes
 */
export const toPodsProxy = (config) =>
  config
    .replace(/^# .*/, '# Written by `npm run docs`, from docs/replicas.cfg.')
    .replace(
      'global\n',
      'global\n  maxconn 1500              # 308 MB with slow uploads and replies on all; more connections wait\n',
    )
    .replace('bind 127.0.0.1:4010', 'bind :4010')
    .replace(
      /replica-(\d) 127\.0\.0\.1:\d+/g,
      (_, number) => `replica-${number} gateway-mock-${number - 1}:4010`,
    );
