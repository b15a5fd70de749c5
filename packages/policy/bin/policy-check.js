#!/usr/bin/env node
import { policyCheck } from "../dist/config.js";

const { stdout, stderr, exitCode } = policyCheck(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
