// What a bundler gets as EC2's client where stacks/ec2-client.ts has not copied it (tsconfig.json): nothing, so it fails.
// It would take the whole client otherwise, half a megabyte more in each function, and nobody would see.
export {};
