// autocannon.js URL ASKS SECONDS: the load where there is no wrk, in a process of its own.
import autocannon from 'autocannon';

const [, , url = '', asks = '[]', seconds = '1'] = process.argv;
process.stdin
  .on('end', () => process.exit())
  .resume()
  .unref?.();

const { requests, duration, errors, non2xx } = await autocannon({
  url,
  requests: JSON.parse(asks),
  connections: 16,
  duration: Number(seconds),
  sampleInt: 100, // how often it looks whether the time is up
});
console.log(JSON.stringify({ requests: requests.total, seconds: duration, failed: errors + non2xx }));
process.exit();
