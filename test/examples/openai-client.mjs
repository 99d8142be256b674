// The openai client from a script. Run it with: npx gateway-mock exec -- node openai-client.mjs
import OpenAI from 'openai';

const { GATEWAY_BASE_URL, GATEWAY_API_KEY, GATEWAY_VIRTUAL_KEY } = process.env;
const client = new OpenAI({
  baseURL: GATEWAY_BASE_URL,
  apiKey: 'unused',
  defaultHeaders: { 'x-gateway-api-key': GATEWAY_API_KEY, 'x-gateway-virtual-key': GATEWAY_VIRTUAL_KEY },
});

const counts = {};
for await (const { status } of client.batches.list({ limit: 50 })) counts[status] = (counts[status] ?? 0) + 1;
console.log(counts);

for await (const { step_number, metrics } of client.fineTuning.jobs.checkpoints.list('ftjob_demo'))
  if (step_number % 100 === 0) console.log(step_number, metrics.train_loss);
