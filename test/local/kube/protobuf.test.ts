import { describe, expect, it } from "vitest";
import { decodeProtobuf } from "../../../local/kube/http/protobuf.ts";

// Bodies as kubectl 1.32 sends them.
const bodies = {
  /** kubectl create deployment web --image=registry.example/app:1 --replicas=0 --port=80 */
  deployment:
    "azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50EscBCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEpUBCAASDAoKCgNhcHASA3dlYhp7ChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViElsSPQoDYXBwEhZyZWdpc3RyeS5leGFtcGxlL2FwcDoxKgAyCgoAEAAYUCIAKgBCAGoAcgCAAQCIAQCQAQCiAQAaADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA=",
  /** kubectl create secret generic s --from-literal=a=b */
  secret: "azhzAAoMCgJ2MRIGU2VjcmV0Eh0KEQoBcxIAGgAiACoAMgA4AEIAEgYKAWESAWIaABoAIgA=",
  /** kubectl create pdb b --selector=app=web --min-available=50% */
  budget:
    "azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSOgoRCgFiEgAaACIAKgAyADgAQgASGQoJCAEQABoDNTAlEgwKCgoDYXBwEgN3ZWIaCggAGAAgACgAMAAaACIA",
};

describe("protobuf bodies", () => {
  it("of a deployment keep a zero that is meant and drop those that are not", () => {
    const decoded = decodeProtobuf(Buffer.from(bodies.deployment, "base64"));
    expect(decoded).toMatchObject({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", labels: { app: "web" } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "app", image: "registry.example/app:1", ports: [{ containerPort: 80 }] }] },
        },
      },
    });
    expect(decoded.metadata).not.toHaveProperty("namespace");
    expect(decoded.spec).not.toHaveProperty("paused");
  });

  it("hold bytes, maps and int-or-strings", () => {
    expect(decodeProtobuf(Buffer.from(bodies.secret, "base64"))).toMatchObject({
      kind: "Secret",
      metadata: { name: "s" },
      data: { a: "Yg==" },
    });
    expect(decodeProtobuf(Buffer.from(bodies.budget, "base64"))).toMatchObject({
      apiVersion: "policy/v1",
      spec: { minAvailable: "50%", selector: { matchLabels: { app: "web" } } },
    });
  });

  it("that are broken or of unknown kinds are bad requests", () => {
    const whole = Buffer.from(bodies.secret, "base64");
    expect(() => decodeProtobuf(Buffer.from("{}"))).toThrow("does not begin as a Kubernetes message");
    expect(() => decodeProtobuf(whole.subarray(0, whole.length - 3))).toThrow("ends too early");
    const gadget = Buffer.from(whole);
    gadget.write("Gadget", gadget.indexOf("Secret"));
    expect(() => decodeProtobuf(gadget)).toThrow("no message core.v1.Gadget is known here");
  });
});
