// Says so as soon as `msw/node` is there.
import 'msw/node';

console.log('ready');
