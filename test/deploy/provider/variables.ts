/** Names the Python that has boto3. */
export const pythonVariable = "TIMMERMAN_DEPLOY_PYTHON";

/** Names the file of calls that moto has not. */
export const unsentVariable = "TIMMERMAN_DEPLOY_UNSENT";
