import { afterEach, describe, expect, it } from "vitest";
import { priceListRegionOf } from "../../../shared/adapters/catalog/market.ts";
import { readPriceList } from "../../../shared/adapters/catalog/price-list.ts";
import { type HttpDouble, startHttpDouble } from "../http-double.ts";

const credentials = { accessKeyId: "local", secretAccessKey: "local" };

/** A product's document as AWS's Price List API gives it, cut to what a reader may look at. */
function product(instanceType: string, pricePerUnit: Record<string, string>, unit = "Hrs"): string {
  return JSON.stringify({
    product: {
      productFamily: "Compute Instance",
      attributes: { instanceType, operatingSystem: "Linux", tenancy: "Shared", regionCode: "eu-west-1" },
      sku: "2223B6PCG6QAUYY6",
    },
    serviceCode: "AmazonEC2",
    terms: {
      OnDemand: {
        "2223B6PCG6QAUYY6.JRTCKXETXF": {
          offerTermCode: "JRTCKXETXF",
          priceDimensions: {
            "2223B6PCG6QAUYY6.JRTCKXETXF.6YS6EN2CT7": {
              unit,
              pricePerUnit,
              description: "a price",
              rateCode: "2223B6PCG6QAUYY6.JRTCKXETXF.6YS6EN2CT7",
            },
          },
        },
      },
    },
  });
}

describe("the price list", () => {
  let double: HttpDouble | undefined;
  afterEach(() => double?.stop());

  it("is read page by page, shared types and metal", async () => {
    double = await startHttpDouble((_target, body) => {
      const metal = JSON.stringify(body.Filters).includes("bare metal");
      if (metal) return { PriceList: [product("m5.metal", { USD: "5.1360000000" })] };
      if (body.NextToken === undefined) {
        return { PriceList: [product("m5.large", { USD: "0.1070000000" })], NextToken: "2" };
      }
      return {
        PriceList: [
          product("c5.large", { USD: "0.0960000000" }),
          product("t2.micro", { USD: "0.0000000000" }),
          product("p5.48xlarge", { USD: "100.0000000000" }, "Quantity"),
        ],
      };
    });
    const prices = await readPriceList("eu-west-1", { region: "eu-central-1", endpoint: double.url, credentials });
    expect(prices).toEqual({ "m5.large": 0.107, "c5.large": 0.096, "m5.metal": 5.136 });
    expect(double.requests).toHaveLength(3);
    expect(double.requests[0]).toEqual({
      target: "GetProducts",
      body: {
        ServiceCode: "AmazonEC2",
        MaxResults: 100,
        Filters: [
          { Type: "TERM_MATCH", Field: "tenancy", Value: "Shared" },
          { Type: "TERM_MATCH", Field: "productFamily", Value: "Compute Instance" },
          { Type: "TERM_MATCH", Field: "regionCode", Value: "eu-west-1" },
          { Type: "TERM_MATCH", Field: "operatingSystem", Value: "Linux" },
          { Type: "TERM_MATCH", Field: "preInstalledSw", Value: "NA" },
          { Type: "TERM_MATCH", Field: "capacitystatus", Value: "Used" },
          { Type: "TERM_MATCH", Field: "marketoption", Value: "OnDemand" },
        ],
      },
    });
  });

  it("is in yuan in China", async () => {
    double = await startHttpDouble(() => ({ PriceList: [product("m5.large", { CNY: "1.0300000000" })] }));
    const prices = await readPriceList("cn-north-1", { region: "cn-northwest-1", endpoint: double.url, credentials });
    expect(prices).toEqual({ "m5.large": 1.03 });
  });

  it("is not taken in part", async () => {
    double = await startHttpDouble((_target, body) =>
      body.NextToken === undefined
        ? { PriceList: [product("m5.large", { USD: "0.107" })], NextToken: "2" }
        : { error: "AccessDeniedException" },
    );
    const reading = readPriceList("eu-west-1", { region: "eu-central-1", endpoint: double.url, credentials });
    await expect(reading).rejects.toMatchObject({
      message: "reading the on-demand prices of eu-west-1: AccessDeniedException: said the double",
      code: "unauthorized",
    });
  });

  it.each([
    ["us-east-1", "us-east-1"],
    ["sa-east-1", "us-east-1"],
    ["me-south-1", "us-east-1"],
    ["eu-north-1", "eu-central-1"],
    ["ap-southeast-2", "ap-south-1"],
    ["cn-north-1", "cn-northwest-1"],
    ["us-gov-west-1", undefined],
    ["us-iso-east-1", undefined],
    ["us-isob-east-1", undefined],
    ["eu-isoe-west-1", undefined],
    ["eusc-de-east-1", undefined],
  ])("of %s is asked for in %s", (region, asked) => {
    expect(priceListRegionOf(region)).toBe(asked);
  });
});
