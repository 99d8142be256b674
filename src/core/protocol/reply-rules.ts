// The headers and statuses that no reply can have, on any transport.

const framingHeaders = [
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Whether a header is about the connection, or the framing of the message, which the transport sets itself. */
export const isFramingHeader = (name: string): boolean => framingHeaders.includes(name.toLowerCase());

/** Whether a reply can have a status. Those below 200 come before a reply, and `Response` takes none above 599. */
export const isReplyStatus = (status: number, from = 200): boolean =>
  Number.isInteger(status) && status >= from && status <= 599;
